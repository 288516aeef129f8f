/** Style of the link page, inline and named by its hash in the policy of the page. */
export const pageStyle = `
body { font: 16px/1.5 system-ui, sans-serif; }
`;
