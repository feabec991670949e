// Days light up under the moving mouse and the keys: no answer of the server would be in time.
import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { useListener } from "../listen.js";
import "./drawn_days.css";

const WIDTH = 280;
// The days of a date picker are none of the grid's.
const CELL = "[data-vehicle] [data-day]";
const dayAt = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest(CELL);
const rowOf = (cell) => cell.closest("[data-vehicle]");
const cellsOf = (row) => [...row.querySelectorAll("[data-day]")];
const rows = () => [...document.querySelectorAll("[data-vehicle]")].filter((row) => !row.closest("[hidden]"));

/** The cells of a row between two of them, both included. */
function between(first, last) {
  const cells = cellsOf(rowOf(first));
  const [from, to] = [cells.indexOf(first), cells.indexOf(last)].sort((one, other) => one - other);
  return cells.slice(from, to + 1);
}

/** The cell that a key leads to from another. */
function neighbour(cell, key) {
  const cells = cellsOf(rowOf(cell));
  const at = cells.indexOf(cell);
  const all = rows();
  const rowAt = all.indexOf(rowOf(cell));
  const beside = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: cells.length - 1 };
  if (key in beside) return cells[beside[key]];
  const other = all[rowAt + (key === "ArrowUp" ? -1 : 1)];
  return other && cellsOf(other)[at];
}

/** One cell of the grid is a stop of the Tab key: the one that had the focus last. */
function makeStop(cell) {
  for (const stop of document.querySelectorAll("[data-day][tabindex='0']")) stop.setAttribute("tabindex", "-1");
  cell.setAttribute("tabindex", "0");
}

export function DrawnDays({ onDraw }) {
  const drawn = useRef(/** @type {HTMLElement[]} */ ([]));
  const anchor = useRef(/** @type {HTMLElement | null} */ (null));
  const isDragging = useRef(false);
  const [shown, setShown] = useState(/** @type {any} */ (null));
  const box = useRef(null);
  const navigate = useNavigate();
  const mark = (cells) => {
    for (const cell of drawn.current) cell.removeAttribute("data-drawn");
    for (const cell of cells) cell.setAttribute("data-drawn", "");
    drawn.current = cells;
  };
  const clear = () => {
    mark([]);
    anchor.current = null;
    isDragging.current = false;
    setShown(null);
  };
  const about = (cells) => {
    const { vehicle, title, plate, price } = rowOf(cells[0]).dataset;
    const [first, last] = [cells[0].dataset, cells.at(-1).dataset];
    return { vehicle, title, plate, price, first, last, count: cells.length, cell: cells.at(-1) };
  };
  const open = () => setShown(about(drawn.current));
  const block = ({ vehicle, first, last }) => {
    clear();
    onDraw(vehicle, first.day, last.day);
  };
  const address = ({ vehicle, first, last }) =>
    `/vendor/new-booking?vehicle=${vehicle}&day=${first.day}&until=${last.day}`;

  useListener("pointerdown", (event) => {
    if (box.current?.contains(event.target)) return;
    if (shown) clear();
    const cell = event.pointerType === "mouse" && event.button === 0 && event.target.closest?.(CELL);
    if (!cell) return;
    isDragging.current = true;
    anchor.current = cell;
    mark([cell]);
  });
  useListener("pointermove", (event) => {
    const cell = isDragging.current && dayAt(event);
    if (cell && rowOf(cell) === rowOf(anchor.current)) mark(between(anchor.current, cell));
  });
  useListener("pointerup", () => {
    if (isDragging.current && drawn.current.length > 1) open();
    isDragging.current = false;
  });
  // A press on one day, by mouse, finger or key; after a drag the browser sends none.
  useListener("click", (event) => {
    const cell = event.target.closest?.(CELL);
    if (!cell || shown) return;
    if (!drawn.current.includes(cell)) mark([cell]);
    open();
  });
  useListener("focusin", ({ target }) => target.matches?.(CELL) && makeStop(target));
  useListener(
    "keydown",
    (event) => {
      const { key, target, shiftKey, ctrlKey, metaKey, altKey } = event;
      if (key === "Escape" && (shown || drawn.current.length)) {
        const cell = shown?.cell;
        clear();
        cell?.focus();
        event.preventDefault();
      }
      if (ctrlKey || metaKey || altKey || !target.matches?.(CELL)) return;
      const letter = key.toLowerCase();
      if (letter === "n" || letter === "b") {
        const chosen = about(drawn.current.includes(target) ? drawn.current : [target]);
        if (letter === "n") navigate(address(chosen));
        else block(chosen);
        event.preventDefault();
        event.stopPropagation();
        return;
      }
      const next = /^(Arrow|Home$|End$)/.test(key) && neighbour(target, key);
      if (!next) return;
      event.preventDefault();
      const extends_ = shiftKey && rowOf(next) === rowOf(target);
      if (extends_) anchor.current ??= target;
      else clear();
      if (extends_) mark(between(anchor.current, next));
      next.focus();
    },
    true,
  );
  useListener("scroll", () => shown && setShown({ ...shown }), true);
  useEffect(() => {
    if (shown) box.current.querySelector("a").focus();
  }, [shown?.cell]);

  if (!shown) return null;
  const place = shown.cell.getBoundingClientRect();
  const left = place.right + 12 + WIDTH < window.innerWidth ? place.right + 12 : Math.max(12, place.left - WIDTH - 12);
  const top = Math.min(Math.max(place.top, 72), window.innerHeight - 170);
  const { title, plate, price, first, last, count } = shown;
  return (
    <div ref={box} className="drawn" role="dialog" aria-label="Chosen days" style={{ left, top }}>
      <h2>
        {title} <span translate="no">{plate}</span>
      </h2>
      <p>
        {count > 1 ? `${first.label} to ${last.label}, ${count} days` : first.label}
        {price && `, ${price} a day`}
      </p>
      <div>
        <a href={address(shown)}>New booking</a>
        <button type="button" onClick={() => block(shown)}>
          Block
        </button>
      </div>
    </div>
  );
}

const plain = (text) => text.replace(/\s/g, "").toLowerCase();

export function RowSearch() {
  const find = ({ target }) => {
    for (const row of document.querySelectorAll("[data-row-of]"))
      row.toggleAttribute("hidden", !plain(row.getAttribute("data-row-of")).includes(plain(target.value)));
    const [first] = rows();
    if (first && !document.querySelector(":not([hidden]) > [data-vehicle] [data-day][tabindex='0']"))
      makeStop(cellsOf(first)[0]);
  };
  return (
    <label className="row-search">
      <Search aria-hidden="true" />
      <input
        type="search"
        aria-label="Search by model or RC number"
        placeholder="Model or RC number"
        data-key="/"
        onChange={find}
      />
    </label>
  );
}
