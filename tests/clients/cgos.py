"""A game between two engines on a CGOS server, by its clients: SOURCE is a checkout of the project, PLACE a folder for what they write, the rest the
engine's command. Prints the game's record as the server keeps it. The server starts a game every quarter of a minute."""

import os
import socket
import subprocess
import sys
import time

SERVER = """[cgos-server]
adminPassword = x
serverName = test
htmlInfoMsg = test
portNumber = {port}
boardsize = 9
komi = 7.0
ko = POSITIONAL
rule = Chinese
level = 60
timeGift = 0.25
database_state_file = state.db
web_data_file = {place}/wdata.txt
defaultRating = 1800.0
minK = 3.0
maxK = 200.0
htmlDir = {place}/web
sgfDir = SGF
moveIntervalBetweenSave = 1
provisionalAge = 0.04
establishedAge = 31.0
killFile = kill
tools_dir = .
bin_dir = .
bad_users_file =
"""
LOG = """[loggers]
keys=root
[handlers]
keys=out
[formatters]
keys=plain
[logger_root]
level=INFO
handlers=out
[handler_out]
class=StreamHandler
level=INFO
formatter=plain
args=(sys.stderr,)
[formatter_plain]
format=%(message)s
"""
CLIENT = """Common:
  KillFile = {name}.kill
  LogFile = {name}.log

GTPEngine:
  Name = {name}
  CommandLine = {command}
  ServerHost = 127.0.0.1
  ServerPort = {port}
  ServerUser = {name}
  ServerPassword = secret
  NumberOfGames = 9
  SGFDirectory = sgf-{name}
  LogFile = engine-{name}.log
"""
PATIENCE = 240


def main():
    source, place, command = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), " ".join(sys.argv[3:])
    os.chdir(place)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    names = ["first", "second"]
    for folder in ["web"] + ["sgf-" + name for name in names]:
        os.makedirs(folder, exist_ok=True)
    write("server.ini", SERVER.format(port=port, place=place))
    write("log.ini", LOG)
    server = os.path.join(source, "server-python", "cgos")
    with open("log", "w") as log:
        start = lambda args, path: subprocess.Popen([sys.executable] + args, stdout=log, stderr=log, env=dict(os.environ, PYTHONPATH=path))
        running = [start([os.path.join(server, "server.py"), "server.ini"], server)]
        time.sleep(2)
        client = os.path.join(source, "client-python", "src")
        for name in names:
            write(name + ".cfg", CLIENT.format(name=name, port=port, command=command))
            running.append(start([os.path.join(client, "cgosclient.py"), name + ".cfg"], client))
        try:
            print(await_game())
        finally:
            for process in running:
                process.terminate()


def await_game():
    end = time.time() + PATIENCE
    while time.time() < end:
        time.sleep(1)
        for folder, _, files in os.walk("web"):
            for name in files:
                if name.endswith(".sgf"):
                    with open(os.path.join(folder, name)) as file:
                        text = file.read()
                    if "RE[" in text and "RE[?" not in text:
                        return text
    sys.exit("no game was finished")


def write(name, text):
    with open(name, "w") as file:
        file.write(text)


main()
