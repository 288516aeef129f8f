import { timingSafeEqual, type KeyObject } from 'node:crypto';
import { sha256 } from '../hash/index.js';
import type { Label } from '../labels.js';
import { mac, MAC_BYTES, macKey, macOver } from './mac.js';

/** Where a call goes, and where its reply. */
export interface CallAddress {
  /** Name of the operation: copied to another subject the call is refused. */
  readonly operation: string;
  /** Subject of the reply. It names the caller and contains the id of the call. */
  readonly replyTo: string;
}

/** The parts of a call that its MAC covers. */
export interface CallParts extends CallAddress {
  /** Context and parameters, exactly as they are sent. */
  readonly context: string;
  readonly input: string;
  readonly body: Uint8Array;
}

/** The parts of a reply that its MAC covers. */
export interface ReplyParts {
  /** Subject of the reply, which contains the id of the call. */
  readonly replyTo: string;
  /** The reason of an error; empty for a success. */
  readonly reason: string;
  readonly payload: Uint8Array;
}

/**
 * Authenticates the calls from one service to another and their replies (OPEN-51, ADR 18). Each ordered pair of services has
 * a key of its own, so a service can sign neither for others nor as one that it calls.
 */
export class CallMac {
  readonly #keys: readonly [KeyObject, ...KeyObject[]];

  /**
   * @param keys of at least 32 bytes: the first one signs, all of them verify, so that a key can be rotated
   * @throws RangeError for a shorter key
   */
  constructor(...keys: readonly [Buffer, ...Buffer[]]) {
    const [first, ...others] = keys;
    this.#keys = [macKey(first), ...others.map(macKey)];
  }

  /** The MAC of a call in base64url: 43 characters. */
  signCall(call: CallParts): string {
    return this.#sign('vk/v1/call', callFields(call));
  }

  /** Whether the MAC belongs to this call. A missing MAC does not. */
  verifyCall(call: CallParts, presented: string | undefined): boolean {
    return this.#verify('vk/v1/call', callFields(call), presented);
  }

  /** The MAC of a reply in base64url: 43 characters. */
  signReply(reply: ReplyParts): string {
    return this.#sign('vk/v1/reply', replyFields(reply));
  }

  /** Whether the MAC belongs to this reply. A missing MAC does not. */
  verifyReply(reply: ReplyParts, presented: string | undefined): boolean {
    return this.#verify('vk/v1/reply', replyFields(reply), presented);
  }

  /** The MAC of a call in a frame: 32 bytes, over what follows it in the frame. */
  signCallFrame({ operation, replyTo }: CallAddress, signed: Buffer): Buffer {
    return macOver(this.#keys[0], signed, 'vk/v1/call-frame', operation, replyTo);
  }

  /** Whether the MAC belongs to this call in a frame. */
  verifyCallFrame({ operation, replyTo }: CallAddress, signed: Buffer, presented: Buffer): boolean {
    return this.#verifyFrame(presented, signed, 'vk/v1/call-frame', operation, replyTo);
  }

  /** The MAC of a reply in a frame: 32 bytes, over what follows it in the frame. */
  signReplyFrame(replyTo: string, signed: Buffer): Buffer {
    return macOver(this.#keys[0], signed, 'vk/v1/reply-frame', replyTo);
  }

  /** Whether the MAC belongs to this reply in a frame. */
  verifyReplyFrame(replyTo: string, signed: Buffer, presented: Buffer): boolean {
    return this.#verifyFrame(presented, signed, 'vk/v1/reply-frame', replyTo);
  }

  #verifyFrame(presented: Buffer, signed: Buffer, label: Label, ...address: string[]): boolean {
    return (
      presented.length === MAC_BYTES &&
      this.#keys.some((key) => timingSafeEqual(presented, macOver(key, signed, label, ...address)))
    );
  }

  #sign(label: Label, fields: Fields): string {
    return mac(this.#keys[0], label, ...fields).toString('base64url');
  }

  #verify(label: Label, fields: Fields, presented = ''): boolean {
    const given = Buffer.from(presented);
    return this.#keys.some((key) => isEqual(given, mac(key, label, ...fields).toString('base64url')));
  }
}

type Fields = readonly (string | Buffer)[];

function callFields({ operation, replyTo, context, input, body }: CallParts): Fields {
  return [operation, replyTo, context, input, sha256(body)];
}

function replyFields({ replyTo, reason, payload }: ReplyParts): Fields {
  return [replyTo, reason, sha256(payload)];
}

/** In constant time. The length of a MAC is no secret. */
function isEqual(given: Buffer, expected: string): boolean {
  return given.length === expected.length && timingSafeEqual(given, Buffer.from(expected));
}
