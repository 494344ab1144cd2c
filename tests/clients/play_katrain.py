"""KaTrain with Tengen in KataGo's place: starts it on a display of its own, plays moves by clicks on the board and prints what KaTrain logs. PLACE is a
folder for its settings, TENGEN the engine and NETWORK what it judges by; a PICTURE of the screen is taken at the end where a file for it is named. The
Python that runs this has KaTrain in it."""

import json
import os
import subprocess
import sys
import time

PLACE, TENGEN, NETWORK = sys.argv[1:4]
PICTURE = sys.argv[4] if len(sys.argv) > 4 else None
# A window has its usual size in this screen; in it the upper left corner of a board of 9x9 is here, and the points so far from each other.
SCREEN = "1600x1200x24"
CORNER, STEP = (146, 132), 84
# Columns and rows from there: E5, C7 and G7.
CLICKS = [(4, 4), (2, 2), (6, 2)]
PATIENCE = 60
TRIES = 10


def settings():
    import katrain

    with open(os.path.join(os.path.dirname(katrain.__file__), "config.json"), encoding="utf-8") as file:
        config = json.load(file)
    config["engine"].update(katago=TENGEN, model=NETWORK, max_visits=24, fast_visits=8, backend="local")
    config["general"].update(debug_level=1)
    config["game"].update(size="9")
    os.makedirs(os.path.join(PLACE, ".katrain"), exist_ok=True)
    with open(os.path.join(PLACE, ".katrain", "config.json"), "w", encoding="utf-8") as file:
        json.dump(config, file)


def display():
    """A virtual display: its process and number."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", SCREEN, "-nolisten", "tcp"]
    process = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as numbers:
        return process, ":" + numbers.readline().strip()


def wait_for(log, condition, patience=PATIENCE):
    """The log once the condition holds of it, or after some patience."""
    end = time.time() + patience
    while True:
        with open(log, encoding="utf-8", errors="replace") as file:
            text = file.read()
        if condition(text) or time.time() > end:
            return text
        time.sleep(0.5)


def main():
    settings()
    screen, name = display()
    log = os.path.join(PLACE, "katrain.log")
    environment = dict(
        os.environ, HOME=PLACE, DISPLAY=name, KIVY_NO_ARGS="1", LIBGL_ALWAYS_SOFTWARE="1", SDL_AUDIODRIVER="dummy", PYTHONUNBUFFERED="1"
    )
    with open(log, "w", encoding="utf-8") as file:
        program = subprocess.Popen(
            [sys.executable, "-m", "katrain"], env=environment, cwd=PLACE, stdout=file, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL
        )
    try:
        done = "][done] KataGo analysis received"
        wait_for(log, lambda text: done in text)
        # The board is drawn once more when the first analysis is there.
        time.sleep(3)
        search = ["xdotool", "search", "--onlyvisible", "--pid", str(program.pid)]
        window = subprocess.run(search, env=environment, check=True, capture_output=True, text=True, timeout=PATIENCE).stdout.split()[-1]
        for number, (column, row) in enumerate(CLICKS, 1):
            place = [str(CORNER[0] + STEP * column), str(CORNER[1] + STEP * row)]
            steps = [["mousemove", "--window", window, *place], ["mousedown", "1"], ["mouseup", "1"]]
            # A click gets lost while KaTrain draws, and a second one on a stone does no harm.
            for _ in range(TRIES):
                for step in steps:
                    subprocess.run(["xdotool", *step], env=environment, check=True, timeout=PATIENCE)
                    time.sleep(0.3)
                if wait_for(log, lambda text: text.count("Sending query") > number, 5).count("Sending query") > number:
                    break
            wait_for(log, lambda text: text.count(done) > number)
        if PICTURE:
            subprocess.run(["import", "-window", "root", PICTURE], env=environment, check=False, timeout=PATIENCE)
        with open(log, encoding="utf-8", errors="replace") as file:
            print(file.read())
    finally:
        program.terminate()
        program.wait(20)
        screen.terminate()
        screen.wait(20)


if __name__ == "__main__":
    main()
