/** Paths of icons on a field of 24 by 24, drawn as lines. */
const paths = {
  send: 'M4 12 20 4l-5 16-4-7-7-1ZM11 13l9-9',
  sent: 'M4 7h16M4 12h16M4 17h9M17 15l2 2 3-4',
  text: 'M5 6h14M5 11h14M5 16h9',
  link: 'M9 15l6-6M8 12l-2 2a3.5 3.5 0 0 0 5 5l2-2M16 12l2-2a3.5 3.5 0 0 0-5-5l-2 2',
  file: 'M7 3h7l4 4v14H7zM14 3v4h4',
  circle: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16Z',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  share: 'M12 15V4M8 8l4-4 4 4M5 12v8h14v-8',
  code: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 18h2v2h-2z',
  warn: 'M12 4l9 16H3zM12 10v4M12 17v.5',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4 20c1-4 4-6 8-6s7 2 8 6',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 19c.8-3.4 3.3-5 6.5-5s5.7 1.6 6.5 5M15.5 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5c2 .8 3.2 2.3 3.6 4.5',
  key: 'M8 19a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM11 12l8-8M16 7l3 3',
  domain: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  settings:
    'M4 7h9M17 7h3M4 17h3M11 17h9M15 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM9 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  plug: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4',
  help: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.8.4-1 .9-1 1.7M12 16.5v.5',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM16 16l4.5 4.5',
  vault: 'M4 4h16v15H4zM7 19v2M17 19v2M12 15.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 11.5v-2',
  folder: 'M3 6h6l2 2h10v11H3z',
  chart: 'M4 20V4M4 20h16M8 16v-4M12 16V8M16 16v-6',
  log: 'M6 3h12v18H6zM9 8h6M9 12h6M9 16h3',
  card: 'M3 6h18v12H3zM3 10h18M6 15h4',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l1.5 1.5h-15ZM10 21h4',
  close: 'M6 6l12 12M18 6L6 18',
} as const;

export type IconName = keyof typeof paths;

/** A picture beside a text that says the same. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
