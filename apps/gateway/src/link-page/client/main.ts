import { travel } from './journey.js';
import { Link } from './link.js';
import { whenSeen } from './visibility.js';

// A page that comes back out of a browser's memory would show what it held before.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});
void whenSeen().then(() => travel(new Link()));
