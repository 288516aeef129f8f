/** Keys of the queries of Settings. */
export const settingsKeys = { account: ['settings', 'account'], settings: ['settings', 'links'] } as const;
