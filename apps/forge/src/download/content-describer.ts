import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { lookupHash } from '@vaultsvc/crypto/tokens';
import type { ForgeExchange } from '../exchange/forge-exchange.js';
import { isUsable, istkSecretOf, type Istk } from '../istk/istk.js';
import { IstkRepository } from '../istk/istk.repository.js';
import { wholeOf } from './byte-range.js';
import { downloadHeaders } from './download-headers.js';
import { sendNotModified } from './download-sender.js';
import { isNotModified, validatorsOf } from './validators.js';

/**
 * Answers HEAD: 200 for any request, with the headers of the content only if its ISTK could download it now (AMB-42).
 * Nothing is consumed, counted or renewed. A range is ignored, because ranges are defined for GET only (RFC 9110, 14.2).
 */
@Injectable()
export class ContentDescriber {
  constructor(private readonly istks: IstkRepository) {}

  /** Throws IF_MATCH_FAILED as a download would. */
  async describe(exchange: ForgeExchange): Promise<void> {
    const { request, response } = exchange;
    const istk = await this.#find(request);
    if (!istk) return void response.end();
    exchange.accountId = istk.accountId;
    const validators = validatorsOf(istk);
    if (isNotModified(request.headers, validators)) return sendNotModified(exchange, validators);
    response.writeHead(200, downloadHeaders(istk, wholeOf(istk.sizeBytes))).end();
  }

  async #find(request: IncomingMessage): Promise<Istk | undefined> {
    const secret = secretIn(request);
    const istk = secret && (await this.istks.find(lookupHash('istk', secret)));
    secret?.fill(0);
    return isUsable(istk, 'decrypt') ? istk : undefined;
  }
}

function secretIn(request: IncomingMessage): Buffer | undefined {
  try {
    return istkSecretOf(request);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
