// What Reflex and Vite bring along.
declare module "*.css";
declare module "$/*";
interface Window {
  // An order for a dialog that came before its page (rental_app/web/session/events.py).
  awaited?: { name: string };
  // Of a page whose scripts have not run yet (rental_app/web/react/server_rendered/early.js).
  pressAgain?: () => void;
  // Asked by scripts that the server sends (rental_app/web/react/here/here.js).
  isHere?: (...addresses: string[]) => boolean;
}
