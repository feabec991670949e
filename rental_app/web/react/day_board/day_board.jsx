// A day and the vehicles on it are chosen in what is loaded: on the road, an answer of the server may take seconds.
import { CalendarRange, ChevronRight, Lock, Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import "./day_board.css";
import { barOf, groupOf, standing } from "./standing.js";

const GROUPS = ["Free all day", "Part of the day", "Not free"];
const FIRST_SHOWN = 20;
const plain = (text) => text.replace(/\s/g, "").toLowerCase();

export function DayBoard({ board, day, onBlock, onTurn, children }) {
  const [wanted, setWanted] = useState(day);
  const [typed, setTyped] = useState("");
  const [byVehicle, setByVehicle] = useState(false);
  const at = Math.max(
    0,
    board.days.findIndex(({ iso }) => iso === wanted),
  );
  useEffect(() => setWanted(day), [day]);
  const choose = (iso) => {
    setWanted(iso);
    setByVehicle(false);
    const { pathname, hash } = window.location;
    window.history.replaceState(window.history.state, "", `${pathname}?day=${iso}${hash}`);
  };
  const found = board.vehicles.filter(({ title, plate }) => plain(title + plate).includes(plain(typed)));
  return (
    <div className="day-board">
      <Strip board={board} at={at} onChoose={choose} onTurn={onTurn} />
      <div className="day-tools">
        <label>
          <Search aria-hidden="true" />
          <input
            type="search"
            aria-label="Search by model or RC number"
            placeholder="Model or RC number"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
        <button type="button" aria-pressed={byVehicle} onClick={() => setByVehicle(!byVehicle)}>
          <CalendarRange aria-hidden="true" />
          By vehicle
        </button>
        <button type="button" aria-label="Block dates" onClick={() => onBlock(board.days[at].iso)}>
          <Lock aria-hidden="true" />
        </button>
      </div>
      {byVehicle ? children : <Groups board={board} vehicles={found} at={at} typed={typed} />}
    </div>
  );
}

/** The days, each with how many vehicles are free; a phone shows a week at a time. */
function Strip({ board, at, onChoose, onTurn }) {
  const box = useRef(null);
  const { days, vehicles } = board;
  useEffect(() => {
    const chosen = box.current.querySelector("[aria-checked=true]");
    // Not scrollIntoView: that moves the page, too.
    if (
      chosen.offsetLeft < box.current.scrollLeft ||
      chosen.offsetLeft >= box.current.scrollLeft + box.current.clientWidth
    )
      box.current.scrollLeft = chosen.offsetLeft - box.current.offsetLeft;
  }, [at, days]);
  const walk = (event) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: days.length - 1 }[event.key];
    if (!days[to]) return;
    event.preventDefault();
    onChoose(days[to].iso);
    box.current.querySelectorAll("[role=radio]")[to].focus();
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, by the arrow keys too
    // biome-ignore lint/a11y/useSemanticElements: the board's sections are its groups
    <div className="day-strip" role="region" aria-label="Days" tabIndex={0} ref={box}>
      <button type="button" className="day-turn" onClick={() => onTurn(-1)}>
        Earlier
      </button>
      <div role="radiogroup" aria-label="Day" onKeyDown={walk}>
        {days.map(({ iso, name, number, label }, index) => {
          const free = vehicles.filter((each) => groupOf(each, index) === 0).length;
          return (
            // biome-ignore lint/a11y/useSemanticElements: a radio cannot have three lines
            <button
              key={iso}
              type="button"
              role="radio"
              aria-checked={index === at}
              aria-label={`${label}, ${free} free`}
              tabIndex={index === at ? 0 : -1}
              onClick={() => onChoose(iso)}
            >
              <span>{name}</span>
              <b>{number}</b>
              <small>{free} free</small>
            </button>
          );
        })}
      </div>
      <button type="button" className="day-turn" onClick={() => onTurn(0)}>
        Today
      </button>
      <button type="button" className="day-turn" onClick={() => onTurn(1)}>
        Later
      </button>
    </div>
  );
}

function Groups({ board, vehicles, at, typed }) {
  const [isWhole, setWhole] = useState(false);
  const groups = GROUPS.map((_, index) => vehicles.filter((each) => groupOf(each, at) === index));
  if (!vehicles.length) return <p role="status">{typed ? `No vehicle is called "${typed}"` : "No vehicles yet"}</p>;
  return groups.map((members, index) => {
    const shown = isWhole || typed ? members : members.slice(0, FIRST_SHOWN);
    if (!members.length) return null;
    const title = `${GROUPS[index]}, ${members.length}`;
    return (
      <section key={GROUPS[index]} aria-label={title}>
        <h2>
          {title}
          {index === 0 && <span>{board.days[at].label}</span>}
        </h2>
        <ul>
          {shown.map((each) => (
            <Line key={each.id} vehicle={each} board={board} at={at} isTaken={index === 2} />
          ))}
        </ul>
        {shown.length < members.length && (
          <button type="button" onClick={() => setWhole(true)}>
            {members.length - shown.length} more {GROUPS[index].toLowerCase()}
          </button>
        )}
      </section>
    );
  });
}

function Line({ vehicle, board, at, isTaken }) {
  const { id, title, plate, image, price } = vehicle;
  const { words, href, isBad } = standing(vehicle, board.days, at);
  const book = `/vendor/new-booking?vehicle=${id}&day=${board.days[at].iso}`;
  return (
    <li>
      <img src={image} alt="" width="64" height="40" loading="lazy" />
      <div>
        <h3>{title}</h3>
        <span className="day-plate" translate="no" role="img" aria-label={[...plate].join(" ")}>
          {(plate.match(/[A-Z]+|[^A-Z]+/g) ?? []).map((part, index) => (
            <span key={`${part}${index > 1}`}>{part}</span>
          ))}
        </span>
        <p data-bad={isBad || undefined}>{href ? <a href={href}>{words}</a> : words}</p>
        <div className="day-bar" aria-hidden="true" data-bad={isBad || undefined}>
          {barOf(vehicle, at).map(({ kind, left, width }) => (
            <i key={`${kind}${left}`} data-kind={kind} style={{ left: `${left}%`, width: `${width}%` }} />
          ))}
        </div>
      </div>
      {isTaken ? (
        <a className="day-open" href={href || "/vendor/manage-vehicles"} aria-label={`Open ${title}, ${plate}`}>
          <ChevronRight aria-hidden="true" />
        </a>
      ) : (
        <div className="day-book">
          <a href={book} aria-label={`Book ${title}, ${plate}`}>
            Book
          </a>
          <span>{price}</span>
        </div>
      )}
    </li>
  );
}
