import { useEffect } from "react";
import { Toaster, toast } from "sonner";

// Screen readers announce what is added to a region they know, so the region comes first.
const REGION_MS = 100;

export default function Window({ onReady, ...props }) {
  useEffect(() => {
    const timer = setTimeout(() => onReady(toast), REGION_MS);
    return () => clearTimeout(timer);
  }, []);
  return <Toaster {...props} />;
}
