/** A fraction in percent, with the digits that its size needs: 100 % only of a whole pool. */
export function percentText(fraction: number): string {
  const percent = fraction * 100;
  if (percent > 0 && percent < 0.1) return 'Under 0.1 %';
  return `${percent < 10 ? Math.floor(percent * 10) / 10 : Math.floor(percent)} %`;
}
