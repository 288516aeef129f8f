import type { Schema } from '@vaultsvc/client';
import type { Draft } from './draft.js';

type NewSpark = Schema<'NewSpark'>;

/** Types that the API takes as text; a file is sent as bytes, which arrive exactly as they are. */
const TEXT_TYPE = /^text\/|^application\/(?:json|xml|javascript)$|\+(?:json|xml)$/i;
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/;

/** The content of a draft as the API takes it. Rejects if the browser cannot read the file. */
export async function contentOf({ kind, text, address, file, boundIp }: Draft): Promise<Partial<NewSpark>> {
  if (kind === 'text') return { payload: text, content_type: 'text/plain' };
  if (kind === 'link')
    return {
      payload: address,
      content_type: 'text/uri-list',
      ...(boundIp !== '' && { bound_ip: boundIp }),
    };
  if (!file) throw new Error('The draft has no file.');
  return { payload: await base64Of(file), content_type: mediaTypeOf(file), filename: file.name };
}

function mediaTypeOf({ type }: File): string {
  return MEDIA_TYPE.test(type) && !TEXT_TYPE.test(type) ? type : 'application/octet-stream';
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
