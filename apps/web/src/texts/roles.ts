/** Roles and seats, in words. */
export const roleTexts = {
  role: 'Role',
  roles: { owner: 'Owner', admin: 'Admin', member: 'Member' },
  roleHints: {
    member: 'Sends secrets, and uses vaults.',
    admin: 'Also manages people, API keys, domains, settings and billing.',
    owner: 'Also makes, changes and removes owners.',
  },
  seat: 'Seat',
  seats: { full: 'Full', viewer: 'Viewer' },
  seatHints: {
    full: 'May do all that the role allows.',
    viewer: 'Keys of vaults that this person makes can only read. Deletes no vault.',
  },
} as const;
