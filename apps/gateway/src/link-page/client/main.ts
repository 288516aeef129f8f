import { LinkApi } from './link-api.js';
import { openLink } from './open-link.js';
import { whenVisible } from './visibility.js';

// A page that the browser restores from its back/forward cache would show its old content.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});
void whenVisible().then(() => openLink(new LinkApi()));
