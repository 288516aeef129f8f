import { is, opt, orNull, text } from './notation.js';

/** An actor in the form of `details.actor` of the audit log (OPEN-28), with the name that AUD-10 shows. */
export const actor = {
  kind: is('person', 'api_key', 'app', 'visitor', 'job', 'operator'),
  id: text,
  app: opt(text),
  portal: opt(text),
  org: opt(text),
  team: opt(text),
  person: opt(orNull(text)),
  name: orNull(text),
};
