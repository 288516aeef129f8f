export type PreviewKind = 'text' | 'image' | 'pdf';

/** The content that the application gives to the frame, over a port that nobody else has. */
export interface PreviewContent {
  readonly kind: PreviewKind;
  readonly bytes: ArrayBuffer;
  /** Of an image. */
  readonly type: string;
  /** Names the content for screen readers. */
  readonly label: string;
  /** The name of a page of a document, with `#` and `##` for its number and their count. */
  readonly pageLabel: string;
}

/** The reports of the frame. It is not trusted: it may say nothing else. */
export type PreviewReport = 'shown' | 'failed' | 'locked' | 'escape';

const reports: readonly unknown[] = ['shown', 'failed', 'locked', 'escape'] satisfies PreviewReport[];

export const isPreviewReport = (data: unknown): data is PreviewReport => reports.includes(data);
