import { repairLabels } from './repair-labels.js';
import { viewerOptions } from './viewer-options.js';

/** The exports of the first module of the viewer. */
interface Viewer {
  readonly createApiReference: (element: Element, options: object) => void;
}

/** Draws the reference over the plain list, which stays where the viewer cannot be loaded. */
export async function drawReference(viewer: string, documentUrl: string): Promise<void> {
  const { createApiReference } = (await import(viewer)) as Viewer;
  const stage = document.createElement('div');
  stage.id = 'reference';
  document.querySelector('#list')?.replaceWith(stage);
  repairLabels(stage);
  createApiReference(stage, viewerOptions(documentUrl));
}
