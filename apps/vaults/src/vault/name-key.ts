/**
 * What two names of one account may not share (VLT-02): the name in its compatibility form and lower case. Lower case
 * can undo the form (U+0130 becomes two code points), so the form is taken again.
 */
export function nameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase().normalize('NFKC');
}
