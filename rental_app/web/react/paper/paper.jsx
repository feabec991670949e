// A paper to be read closely: a picture that can be made larger, or a PDF in the browser's own viewer.
import { useState } from "react";
import { call } from "../uploads/call.js";
import { lend, saving, useLoaded } from "../uploads/loaded.js";

const WIDTHS = [100, 160, 240];
const PDF = "application/pdf";

// Phones have none: a frame would save the file unasked. The viewer takes what it is told: nothing that was uploaded is shown as a page of ours.
const asKind = (file, isPicture) => (isPicture ? file : new Blob([file], { type: PDF }));

/** One page of a paper, loaded with the viewer's token; `look` and `button` are the classes of its parts. */
export function Paper({ url, name, isPicture, look, button, failure, again }) {
  const [step, setStep] = useState(0);
  const [turns, setTurns] = useState(0);
  const [shown, , tryAgain] = useLoaded(async () => asKind(await call(url), isPicture), [url]);
  if (shown === null) {
    return (
      <p role="status">
        {name}: {failure}{" "}
        <button type="button" className={button} onClick={tryAgain}>
          {again}
        </button>
      </p>
    );
  }
  if (!shown) return <span className={look} role="img" aria-label={name} />;
  if (!isPicture) {
    return (
      <>
        {navigator.pdfViewerEnabled && <iframe className={`${look} h-[70vh]`} src={shown} title={name} />}
        <button type="button" className={button} onClick={() => lend(url, saving(`${name}.pdf`)).catch(() => {})}>
          Save the PDF
        </button>
      </>
    );
  }
  // A picture that lies on its side is turned within a square, which it never leaves.
  const lies = turns % 2 === 1;
  const larger = () => setStep((step + 1) % WIDTHS.length);
  return (
    <>
      <div className={`${look} overflow-auto`}>
        <img
          src={shown}
          alt={name}
          style={{
            width: `${WIDTHS[step]}%`,
            maxWidth: "none",
            rotate: `${turns * 90}deg`,
            aspectRatio: lies ? 1 : undefined,
            objectFit: lies ? "contain" : undefined,
          }}
        />
      </div>
      <button type="button" className={button} onClick={larger} data-key="z">
        {step === WIDTHS.length - 1 ? "Whole" : "Larger"}
      </button>{" "}
      <button type="button" className={button} onClick={() => setTurns((turns + 1) % 4)}>
        Turn
      </button>
    </>
  );
}
