//! With libtorch, the program remembers where it was: nobody need set a library path to run it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=LIBTORCH");
    if std::env::var_os("CARGO_FEATURE_TORCH").is_none() || std::env::var("CARGO_CFG_TARGET_FAMILY").as_deref() != Ok("unix") {
        return;
    }
    if let Ok(folder) = std::env::var("LIBTORCH") {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{folder}/lib");
        // Nothing asks for a symbol of this library, but without it libtorch has no GPU.
        if std::path::Path::new(&folder).join("lib/libtorch_cuda.so").exists() {
            for arg in ["-Wl,--push-state,--no-as-needed", "-ltorch_cuda", "-Wl,--pop-state"] {
                println!("cargo::rustc-link-arg={arg}");
            }
        }
    }
}
