// A sheet goes straight to the server; what could not be read is shown here, until the page is left.
import { FileSpreadsheet } from "lucide-react";
import { useState } from "react";
import { Chooser } from "../uploads/tile.jsx";
import { send } from "../uploads/wire.js";

const ADDRESS = "/api/vendor/drafts/import";
const SHEETS = ".xlsx,.csv,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
// Of the problems; the others are folded.
const IN_SIGHT = 8;
const NO_ANSWER = "The sheet could not be sent. Check your connection and try again.";
const LINK = "inline-flex min-h-11 items-center font-medium text-(--accent-11) underline";

/** Where a problem is: "Row 4, Reg No"; what concerns the sheet as a whole is in no row. */
const placeOf = ({ row, column }) => [row ? `Row ${row}` : "", column].filter(Boolean).join(", ") || "Sheet";

const Problems = ({ problems }) => (
  <ul className="divide-y divide-(--line)">
    {problems.map((problem, place) => (
      <li key={place} className="py-2 text-sm wrap-anywhere">
        <strong>{placeOf(problem)}</strong>: {problem.message}
      </li>
    ))}
  </ul>
);

/** What came of a sheet, and the rows and columns that could not be read. */
function Outcome({ told, onClose }) {
  const problems = told.problems ?? [];
  return (
    <section aria-label="Import" className="basis-full rounded-xl border border-(--line) p-3">
      <div className="flex items-start gap-3">
        <p role="status" className="min-w-0 flex-1 font-semibold wrap-anywhere">
          {told.message}
        </p>
        <button type="button" className={LINK} onClick={onClose}>
          Close
        </button>
      </div>
      <Problems problems={problems.slice(0, IN_SIGHT)} />
      {problems.length > IN_SIGHT && (
        <details>
          <summary className="flex min-h-11 cursor-pointer items-center font-medium">{`Show all ${problems.length}`}</summary>
          <Problems problems={problems.slice(IN_SIGHT)} />
        </details>
      )}
    </section>
  );
}

/** A button that sends a sheet of vehicles, and what came of it. */
export function SheetImport({ template, look, mostBytes, tooLarge, onImported }) {
  const [isBusy, setBusy] = useState(false);
  const [told, setTold] = useState(null);
  const take = async ([file]) => {
    if (!file || isBusy) return;
    if (file.size > mostBytes) return setTold({ message: tooLarge });
    setBusy(true);
    const answer = await send(ADDRESS, "sheet", file, () => {});
    setBusy(false);
    setTold(answer ?? { message: NO_ANSWER });
    if (answer?.success) onImported();
  };
  return (
    <>
      <Chooser
        className={`${look} relative cursor-pointer focus-within:outline-2`}
        group="sheet"
        accept={SHEETS}
        onFiles={take}
        aria-label="Import vehicles from a sheet"
        style={{ position: "absolute", inset: 0, opacity: 0, cursor: "pointer" }}
      >
        <FileSpreadsheet size={18} aria-hidden="true" />
        <span>{isBusy ? "Reading..." : "Import from a sheet"}</span>
      </Chooser>
      <a
        className={LINK}
        download="vehicles.csv"
        href={`data:text/csv;charset=utf-8,${encodeURIComponent(`\ufeff${template}`)}`}
      >
        Download a template
      </a>
      {told && <Outcome told={told} onClose={() => setTold(null)} />}
    </>
  );
}
