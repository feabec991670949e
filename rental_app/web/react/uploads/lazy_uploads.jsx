// Uploads in a dialog that few open: their code is loaded with it.
import { lazy, Suspense } from "react";
import { patient } from "../patient.js";

const Loaded = lazy(patient(() => import("./uploads.jsx").then(({ Uploads }) => ({ default: Uploads }))));

export function LazyUploads(props) {
  return (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  );
}
