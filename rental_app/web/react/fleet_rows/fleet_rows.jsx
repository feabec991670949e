// Selecting is the browser's alone: an answer of the server for each tick would be too late, and nobody else's.
import { useEffect, useEffectEvent, useRef } from "react";
import { useListener } from "../listen.js";
import { pressed, remaining } from "./range.js";
import "./fleet_rows.css";

const idOf = (element, name) => Number(element.dataset[name]);
const isElsewhere = () => document.querySelector("[role=dialog], [role=alertdialog], :popover-open") !== null;

/** Rows with boxes to tick, a bar for those ticked, and a menu; `children` mark their parts (see __init__.py). */
export function FleetRows({ ids, onAct, onMenu, children }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const chosen = useRef(/** @type {Set<number>} */ (new Set()));
  const latest = useRef(0);
  const opener = useRef(/** @type {HTMLElement | null} */ (null));
  const all = (selector) => /** @type {any[]} */ ([...(box.current?.querySelectorAll(selector) ?? [])]);
  const menu = () => all("[data-menu]")[0];

  const show = useEffectEvent(() => {
    chosen.current = new Set(remaining(chosen.current, ids));
    const count = chosen.current.size;
    for (const tick of all("[data-tick]")) tick.checked = chosen.current.has(idOf(tick, "tick"));
    for (const tick of all("[data-tick-all]")) {
      tick.checked = count > 0 && count === ids.length;
      tick.indeterminate = count > 0 && count < ids.length;
    }
    for (const bar of all("[data-bar]")) bar.hidden = count === 0;
    const said = count ? `${count} selected` : "";
    // Even the same text would be a change, which is watched for below.
    for (const text of all("[data-count]")) if (text.textContent !== said) text.textContent = said;
  });
  // Rows come, go and change by themselves.
  useEffect(() => {
    const watch = new MutationObserver(() => show());
    const rows = { childList: true, subtree: true, attributes: true, attributeFilter: ["data-tick"] };
    if (box.current) watch.observe(box.current, rows);
    return () => watch.disconnect();
  }, []);
  useEffect(() => show(), [ids]);

  const choose = (those, isOn) => {
    for (const id of those) isOn ? chosen.current.add(id) : chosen.current.delete(id);
    show();
  };
  const open = (button) => {
    const shown = menu();
    if (!shown) return;
    opener.current = button;
    for (const each of shown.querySelectorAll("[data-item]")) {
      each.hidden = !each.dataset.kinds.split(" ").includes(button.dataset.kind);
    }
    shown.showPopover();
    const [at, size] = [button.getBoundingClientRect(), shown.getBoundingClientRect()];
    shown.style.left = `${Math.max(8, Math.min(at.right, window.innerWidth - 8) - size.width)}px`;
    const isBelow = at.bottom + size.height + 8 < window.innerHeight;
    shown.style.top = `${Math.max(8, isBelow ? at.bottom + 4 : at.top - size.height - 4)}px`;
    shown.querySelector("[data-item]:not([hidden])")?.focus();
  };
  const press = (event) => {
    const part = (selector) => event.target.closest(selector);
    const tick = part("[data-tick]");
    if (tick) {
      const shown = all("[data-tick]").map((each) => idOf(each, "tick"));
      const id = idOf(tick, "tick");
      choose(pressed(shown, latest.current, id, event.shiftKey), tick.checked);
      latest.current = id;
    }
    const whole = part("[data-tick-all]");
    if (whole) choose(ids, whole.checked);
    if (part("[data-clears]")) choose(ids, false);
    const act = part("[data-act]");
    if (act) onAct(act.dataset.act, remaining(chosen.current, ids));
    const more = part("[data-menu-of]");
    if (more) open(more);
    const item = part("[data-item]");
    if (item) {
      const id = idOf(opener.current, "menuOf");
      menu()?.hidePopover();
      // A dialog gives the focus back to what has it now.
      opener.current?.focus();
      onMenu(item.dataset.item, id);
    }
  };
  useListener("keydown", (event) => {
    if (event.key === "Escape" && chosen.current.size && !isElsewhere()) choose(ids, false);
  });
  const move = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const items = [...(event.target.closest("[data-menu]")?.querySelectorAll("[data-item]:not([hidden])") ?? [])];
    if (!step || !items.length) return;
    event.preventDefault();
    items.at((items.indexOf(document.activeElement) + step) % items.length).focus();
  };
  return (
    <div ref={box} onClick={press} onKeyDown={move}>
      {children}
    </div>
  );
}
