# What gpu-check and train-once share; read by both, not run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
readonly built=$root/target/gpu

complain() {
    echo "${0##*/}: $*" >&2
    exit 1
}

# Builds the program with libtorch, for this machine or for another without Rust.
build_program() {
    (cd "$root" && scripts/with-libtorch cargo build --release --locked --features torch)
    mkdir -p "$built"
    cp "$root/target/release/tengen" "$built/tengen"
}

# The libraries of the PyTorch here, also for a program built with another. Those of the GPU must be named: nothing links to them.
find_libraries() {
    local folder=${LIBTORCH:-}
    [ -n "$folder" ] || folder=$(python3 -c 'import importlib.util; print(importlib.util.find_spec("torch").submodule_search_locations[0])') ||
        complain "no PyTorch here; set LIBTORCH to a libtorch with CUDA"
    export LD_LIBRARY_PATH=$folder/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    if [ -e "$folder/lib/libtorch_cuda.so" ]; then
        export LD_PRELOAD=$folder/lib/libtorch_cuda.so
    elif [ "${TENGEN_DEVICE:-cuda}" != cpu ]; then
        complain "the libtorch in $folder has no CUDA; TENGEN_DEVICE=cpu tries the script without"
    fi
}
