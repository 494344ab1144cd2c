// What the page needs of the packages, under one name.
export { h, render } from "preact";
export { Goban } from "@sabaki/shudan";
export { default as GoBoard } from "@sabaki/go-board";
