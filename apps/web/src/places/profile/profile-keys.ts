/** Keys of the queries of Profile. */
export const profileKeys = { profile: ['profile', 'me'], sessions: ['profile', 'sessions'] } as const;
