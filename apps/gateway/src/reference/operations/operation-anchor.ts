import { resourceOf } from './api-resources.js';

/** The anchor of an operation in the reference, as the viewer makes it. */
export function operationAnchorOf(method: string, path: string): string {
  const tag = (resourceOf(path)?.name ?? 'Other').toLowerCase().replaceAll(' ', '-');
  return `tag/${tag}/${method}${path}`;
}
