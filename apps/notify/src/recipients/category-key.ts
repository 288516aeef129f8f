/** The form in which categories are compared: their case does not matter. */
export function categoryKey(category: string): string {
  return category.normalize('NFC').toLowerCase();
}
