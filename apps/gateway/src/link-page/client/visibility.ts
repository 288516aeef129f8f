/** Resolves once somebody looks: a page that is rendered ahead of time, or behind another, opens nothing. */
export function whenSeen(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (isAhead() || document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', look);
      document.removeEventListener('prerenderingchange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    document.addEventListener('prerenderingchange', look);
    look();
  });
}

/** Browsers without prerendering do not know the property. */
function isAhead(): boolean {
  return (document as { prerendering?: boolean }).prerendering === true;
}
