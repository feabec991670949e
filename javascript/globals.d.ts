// What Reflex and Vite bring along.
declare module "*.css";
declare module "$/*";
type Navigate = (address: string, options?: { replace?: boolean }) => void | Promise<void>;
interface Window {
  // An order for a dialog that came before its page (rental_app/web/session/events.py).
  awaited?: { name: string };
  // How the server's redirects go from a page with dialogs (rental_app/web/react/modal/dialogs.js).
  fromDialogs?: (navigate: Navigate) => Navigate;
  // Of a page whose scripts have not run yet (rental_app/web/react/server_rendered/early.js).
  pressAgain?: () => void;
  pressedEarly?: () => HTMLElement | null;
  // Asked by scripts that the server sends (rental_app/web/react/here/here.js).
  isHere?: (...addresses: string[]) => boolean;
}
