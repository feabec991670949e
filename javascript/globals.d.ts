// What Reflex and Vite bring along.
declare module "*.css";
declare module "$/*";
interface Window {
  // An order for a dialog that came before its page (rental_app/states/events.py).
  awaited?: { name: string };
}
