"use strict";
// The review page. All text of the game reaches the page as text, never as markup.
(() => {
  const { h, render, Goban, GoBoard } = Board;
  const data = JSON.parse(document.getElementById("review").textContent);
  const [width, height] = data.size;
  const last = data.moves.length;
  const columns = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+";
  const middle = 31;
  const colors = { B: "Black", W: "White" };
  const byId = (id) => document.getElementById(id);
  const state = { at: 0, layers: { better: true, ownership: false, policy: false }, line: null, whose: data.player || "" };

  // Elements out of text.
  const make = (tag, attributes, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (value !== null && value !== false) element.setAttribute(name, value);
    }
    element.append(...children.filter((child) => child !== null && child !== ""));
    return element;
  };

  // Places are row-major numbers from the top left; -1 is a pass.
  const spot = (place) => [place % width, Math.floor(place / width)];
  const vertex = (place) => (place < 0 ? "pass" : columns[place % width] + (height - Math.floor(place / width)));
  const sign = (color) => (color === "B" ? 1 : -1);
  const grid = (value) => Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => value(y * width + x)));
  const percent = (share) => Math.round(100 * share) + " %";
  const own = (black, color) => (color === "B" ? black : 1 - black);
  const signed = (number) => (number > 0 ? "+" : number < 0 ? "−" : "±") + Math.abs(number).toFixed(1);

  const short = (number) => (Math.abs(number) >= 9.95 ? (number > 0 ? "+" : "−") + Math.round(Math.abs(number)) : signed(number));

  // The stones of every position, from what each changed.
  const boards = [];
  data.looks.reduce((before, look) => {
    const stones = before.slice();
    for (const [place, stone] of look.changes) stones[place] = stone;
    boards.push(stones);
    return stones;
  }, new Array(width * height).fill(0));

  const choicesOf = (position) => (data.looks[position] ? data.looks[position].choices : []);
  // What could have been played instead of the last move; at the start, what could be played.
  const before = () => Math.max(state.at - 1, 0);
  const lineMoves = () => state.line && choicesOf(state.line.position)[state.line.choice].line;

  // Stones of a line, and the number on each.
  const playLine = ({ position, choice }) => {
    let board = new GoBoard(grid((place) => boards[position][place]));
    let color = sign(data.looks[position].toMove);
    const numbers = new Map();
    choicesOf(position)[choice].line.forEach((place, index) => {
      if (place >= 0 && board.get(spot(place)) === 0) {
        board = board.makeMove(color, spot(place));
        numbers.set(place, index + 1);
      }
      color = -color;
    });
    return { signs: board.signMap, numbers };
  };

  const draw = () => {
    const look = data.looks[state.at];
    const move = data.moves[state.at - 1];
    const size = vertexSize();
    const tiny = size < 22;
    byId("board").className = tiny ? "tiny" : "";
    const shown = state.line ? playLine(state.line) : { signs: grid((place) => boards[state.at][place]), numbers: new Map() };
    const markers = new Map();
    const ghosts = new Map();
    const heat = new Map();
    for (const [place, number] of shown.numbers) markers.set(place, { type: "label", label: String(number) });
    if (!state.line) {
      if (move && move.place >= 0) {
        markers.set(move.place, { type: "circle", label: "move " + state.at });
        ghosts.set(move.place, { sign: 0, type: "c" + move.kind });
      }
      if (state.layers.better) {
        const choices = choicesOf(before());
        const mover = sign(data.looks[before()].toMove);
        // Of a move that was played only what is better is shown; the first choice always.
        const worse = (choice) => move && mover * choice.lead < mover * look.lead;
        choices.slice(0, 5).forEach((choice, index) => {
          if (choice.place < 0 || boards[state.at][choice.place] !== 0 || (index > 0 && worse(choice))) return;
          const behind = mover * (choices[0].lead - choice.lead);
          const kind = index === 0 ? "first" : behind < 1 ? "good" : "fair";
          heat.set(choice.place, { strength: kind, text: "ABCDE"[index] + (tiny ? "" : "\n" + short(mover * choice.lead)) });
        });
      }
      if (state.layers.policy) {
        for (const [place, share] of look.policy) {
          if (place < 0) continue;
          heat.set(place, { strength: "p" + (share >= 0.3 ? 4 : share >= 0.1 ? 3 : share >= 0.03 ? 2 : 1), text: tiny && share < 0.1 ? "" : (100 * share).toFixed(share < 0.1 ? 1 : 0) });
        }
      }
    }
    const owner = (place) => {
      const value = (letters.indexOf(look.ownership[place]) - middle) / middle;
      return Math.abs(value) < 0.1 ? 0 : value;
    };
    const painted = state.layers.ownership && !state.line && look.ownership.length > 0;
    render(
      h(Goban, {
        vertexSize: size,
        showCoordinates: true,
        coordX: (x) => columns[x],
        signMap: shown.signs,
        markerMap: grid((place) => markers.get(place) || null),
        ghostStoneMap: grid((place) => ghosts.get(place) || null),
        heatMap: grid((place) => heat.get(place) || null),
        paintMap: grid((place) => (painted ? owner(place) : 0)),
        onVertexClick: (_, [x, y]) => clickVertex(y * width + x),
      }),
      byId("board"),
    );
  };

  const vertexSize = () => {
    const room = byId("play").clientWidth / (width + 2.4);
    const tall = (window.innerHeight * 0.86) / (height + 2.4);
    return Math.max(12, Math.floor(Math.min(room, Math.max(tall, 20), 46)));
  };

  const clickVertex = (place) => {
    const choice = choicesOf(before()).findIndex((choice) => choice.place === place);
    const next = data.moves[state.at];
    if (state.line) showLine(null);
    else if (choice >= 0 && boards[state.at][place] === 0) showLine({ position: before(), choice });
    else if (next && next.place === place) goTo(state.at + 1);
  };

  const showLine = (line) => {
    state.line = line;
    update();
  };

  const goTo = (at) => {
    state.at = Math.min(Math.max(at, 0), last);
    state.line = null;
    update();
  };

  const mistakes = () => data.moves.filter((move) => move.kind > 0 && (!state.whose || move.color === state.whose));
  const toMistake = (forwards) => {
    const numbers = mistakes().map((move) => move.number);
    const next = forwards ? numbers.find((number) => number > state.at) : numbers.reverse().find((number) => number < state.at);
    if (next !== undefined) goTo(next);
  };

  // The graph.
  const graph = byId("graph");
  const largest = Math.max(5, ...data.looks.map((look) => Math.abs(look.lead)));
  const scale = Math.min(50, Math.ceil(largest / 5) * 5);
  const namespace = "http://www.w3.org/2000/svg";
  const shape = (tag, attributes) => {
    const element = document.createElementNS(namespace, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const drawGraph = () => {
    const [w, t] = [graph.clientWidth || 300, graph.clientHeight || 140];
    const x = (at) => (last ? (at / last) * (w - 12) + 6 : 6);
    const share = (look) => t - look.winrate * t;
    const lead = (look) => t / 2 - (Math.max(-scale, Math.min(scale, look.lead)) / scale) * (t / 2 - 3);
    const path = (height) => data.looks.map((look, at) => x(at).toFixed(1) + "," + height(look).toFixed(1)).join(" ");
    const svg = shape("svg", { viewBox: `0 0 ${w} ${t}`, "aria-hidden": "true" });
    svg.append(
      shape("rect", { class: "ground", width: w, height: t }),
      shape("polygon", { class: "share", points: `0,${t} 0,${share(data.looks[0])} ${path(share)} ${w},${share(data.looks[last])} ${w},${t}` }),
      shape("line", { class: "middle", x1: 0, x2: w, y1: t / 2, y2: t / 2 }),
      shape("polyline", { class: "lead", points: path(lead) }),
    );
    for (const move of mistakes().filter((move) => move.kind > 1)) {
      svg.append(shape("circle", { class: "dot c" + move.kind, cx: x(move.number), cy: lead(data.looks[move.number]), r: move.kind + 1.5 }));
    }
    svg.append(shape("line", { class: "cursor", x1: x(state.at), x2: x(state.at), y1: 0, y2: t }));
    graph.replaceChildren(svg);
    graph.setAttribute("aria-valuemax", last);
    graph.setAttribute("aria-valuenow", state.at);
    graph.setAttribute("aria-valuetext", "move " + state.at + ": " + data.looks[state.at].standing);
  };
  const follow = (event) => {
    const box = graph.getBoundingClientRect();
    goTo(Math.round(((event.clientX - box.left - 6) / (box.width - 12)) * last));
  };
  graph.addEventListener("pointerdown", (event) => {
    graph.setPointerCapture(event.pointerId);
    follow(event);
  });
  graph.addEventListener("pointermove", (event) => event.buttons && follow(event));

  // What is said of the move.
  const badge = (move) => {
    if (move.lost === null) return null;
    const words = ["", "inaccuracy ", "mistake ", "blunder "][move.kind];
    const text = move.kind === 0 && move.lost < 0.05 ? "no loss" : words + "−" + move.lost.toFixed(1);
    return make("span", { class: "badge c" + move.kind }, text);
  };
  const choiceList = (position, title, most) => {
    const mover = data.looks[position].toMove;
    const entries = choicesOf(position).slice(0, most).map((choice, index) => {
      const played = data.moves[position] && data.moves[position].place === choice.place;
      const pressed = state.line && state.line.position === position && state.line.choice === index;
      const rest = choice.line.slice(1, 7).map(vertex).join(" ");
      return make("li", {}, make("button", { type: "button", "aria-pressed": pressed ? "true" : "false", title: "Show this line on the board",
        onclick: () => showLine(pressed ? null : { position, choice: index }) },
        make("b", {}, "ABCDEFGHIJ"[index]), make("span", {}, vertex(choice.place) + (played ? " ✓" : "")),
        make("span", {}, percent(own(choice.winrate, mover))), make("span", {}, signed(sign(mover) * choice.lead) + (rest ? " · " + rest : ""))));
    });
    return entries.length ? [make("h3", {}, title), make("ol", { class: "choices" }, ...entries)] : [];
  };
  const tell = () => {
    const move = data.moves[state.at - 1];
    const look = data.looks[state.at];
    const head = move ? "Move " + move.number + ": " + colors[move.color] + " " + vertex(move.place) : "Start of the game";
    const parts = [make("h2", {}, head, move ? badge(move) : ""), make("p", {}, look.standing + ".")];
    if (move) parts.push(make("p", {}, move.told));
    if (look.said) parts.push(make("p", { class: "said" }, look.said));
    if (move) parts.push(...choiceList(state.at - 1, "Choices", 5));
    parts.push(...choiceList(state.at, colors[look.toMove] + " next", move ? 3 : 5));
    byId("about").replaceChildren(...parts);
  };

  const list = () => {
    const worst = mistakes().sort((a, b) => b.lost - a.lost).slice(0, 12);
    const entries = worst.map((move) => make("li", {}, make("button", { type: "button", "aria-current": move.number === state.at ? "true" : null, onclick: () => goTo(move.number) },
      make("span", { class: "head" }, make("span", {}, move.number + ". " + colors[move.color] + " " + vertex(move.place)), badge(move)),
      make("span", { class: "why" }, move.told))));
    byId("list").replaceChildren(...(entries.length ? entries : [make("li", {}, "No move lost 1.5 points or more.")]));
    for (const button of document.querySelectorAll("[data-whose]")) button.setAttribute("aria-pressed", String(button.dataset.whose === state.whose));
  };

  const update = () => {
    document.body.dataset.at = state.at;
    const moves = lineMoves();
    byId("at").textContent = moves ? "line of " + moves.length : state.at + " / " + last;
    for (const button of document.querySelectorAll("[data-layer]")) button.setAttribute("aria-pressed", String(state.layers[button.dataset.layer]));
    draw();
    drawGraph();
    tell();
    list();
  };

  // What does not change.
  const player = (color, name) => make("span", { class: "player" }, make("span", { class: "stone " + color, role: "img", "aria-label": colors[color] }), name);
  byId("players").append(player("B", data.players[0]), make("span", { class: "versus" }, "against"), player("W", data.players[1]));
  byId("facts").append(...data.facts.flatMap((fact) => [make("span", {}, fact), make("br", {})]));
  byId("judge").textContent = "Reviewed by " + data.judge + ".";
  byId("scale").textContent = "±" + scale;
  byId("table").append(...data.table.map((row, index) => make("tr", { class: index === 0 ? "" : row[0].startsWith(" ") ? "part" : "whole" },
    ...row.map((cell) => make(index === 0 ? "th" : "td", index === 0 ? { scope: "col" } : {}, cell.trim().replace("inaccur", "inac\u00adcur"))))));

  // Keys, buttons, wheel and fingers.
  const steps = {
    first: () => goTo(0), back: () => goTo(state.at - 1), on: () => goTo(state.at + 1), last: () => goTo(last),
    "mistake-before": () => toMistake(false), "mistake-after": () => toMistake(true),
  };
  const toggle = (layer) => {
    state.layers[layer] = !state.layers[layer];
    if (layer === "policy" && state.layers.policy) state.layers.better = false;
    if (layer === "better" && state.layers.better) state.layers.policy = false;
    update();
  };
  const theme = () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  };
  const keys = {
    ArrowLeft: steps.back, ArrowRight: steps.on, ArrowUp: steps["mistake-before"], ArrowDown: steps["mistake-after"], Home: steps.first, End: steps.last,
    PageUp: () => goTo(state.at - 10), PageDown: () => goTo(state.at + 10), b: () => toggle("better"), o: () => toggle("ownership"),
    p: () => toggle("policy"), t: theme, Escape: () => showLine(null),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !Object.hasOwn(keys, event.key)) return;
    keys[event.key]();
    event.preventDefault();
  });
  for (const button of document.querySelectorAll("[data-go]")) button.addEventListener("click", steps[button.dataset.go]);
  for (const button of document.querySelectorAll("[data-layer]")) button.addEventListener("click", () => toggle(button.dataset.layer));
  for (const button of document.querySelectorAll("[data-whose]")) {
    button.addEventListener("click", () => {
      state.whose = button.dataset.whose;
      update();
    });
  }
  byId("theme").addEventListener("click", theme);
  const board = byId("board");
  board.addEventListener("wheel", (event) => {
    if (event.ctrlKey || event.deltaY === 0) return;
    goTo(state.at + Math.sign(event.deltaY));
    event.preventDefault();
  }, { passive: false });
  let touch = null;
  board.addEventListener("touchstart", (event) => (touch = event.touches.length === 1 ? event.touches[0] : null), { passive: true });
  board.addEventListener("touchend", (event) => {
    const end = event.changedTouches[0];
    if (touch && Math.abs(end.clientX - touch.clientX) > 40 && Math.abs(end.clientX - touch.clientX) > 2 * Math.abs(end.clientY - touch.clientY)) {
      goTo(state.at + (end.clientX < touch.clientX ? 1 : -1));
      event.preventDefault();
    }
    touch = null;
  });
  new ResizeObserver(() => {
    draw();
    drawGraph();
  }).observe(byId("side"));
  const asked = /^#(\d+)$/.exec(location.hash);
  goTo(asked ? Number(asked[1]) : 0);
})();
