// The files of a document, on the account page alone: see lazy_uploads.jsx.
import { lazy, Suspense } from "react";
import { patient } from "../patient.js";

const Loaded = lazy(patient(() => import("./uploads.jsx").then(({ Uploads }) => ({ default: Uploads }))));

export function LazyDocuments(props) {
  return (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  );
}
