// What near_me.jsx reckons, without the page, for javascript/test.
const KM_A_DEGREE = 111.2;

/** The name of the place nearest to a position, and how far away it is; undefined without places. */
export function nearest(places, { latitude, longitude }) {
  const narrowed = Math.cos((latitude * Math.PI) / 180);
  const away = (place) => KM_A_DEGREE * Math.hypot(place.latitude - latitude, (place.longitude - longitude) * narrowed);
  return places.map((place) => ({ name: place.name, km: away(place) })).sort((one, other) => one.km - other.km)[0];
}
