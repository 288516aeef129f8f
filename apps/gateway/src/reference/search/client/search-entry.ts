/** A place that the search finds. Scripts of older pages read it too, so members are only added. */
export interface SearchEntry {
  readonly kind: 'Basics' | 'Guide' | 'Operation' | 'Error';
  readonly title: string;
  /** Where it belongs: the title of a guide, method and path, or status and code. */
  readonly place: string;
  /** Path and fragment at this origin. */
  readonly url: string;
  readonly text: string;
  /** Names and descriptions of fields, which are searched and not shown. */
  readonly fields?: string;
}
