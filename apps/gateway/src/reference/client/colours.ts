/** Scalar's greys are too faint on its backgrounds for WCAG 2.2, 1.4.3. */
export const colours = `
.light-mode { --scalar-color-2: #545b66; --scalar-color-3: #5c6470; --scalar-color-accent: #1d4fbf; --scalar-sidebar-color-2: #545b66;
  --scalar-color-green: #0b6b3a; --scalar-color-blue: #1d4fbf; --scalar-color-orange: #8a4b00; --scalar-color-red: #b3261e; --scalar-color-yellow: #7a5a00; --scalar-color-purple: #6b3fa0; }
.dark-mode { --scalar-color-2: #b4bac4; --scalar-color-3: #a7aeb9; --scalar-color-red: #ff8f87; --scalar-sidebar-color-2: #b4bac4; }
`;
