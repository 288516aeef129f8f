import type { IncomingMessage } from 'node:http';
import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { exchangeOf } from '../server/exchange.js';
import { Answers } from './answers.js';

/** Nest's and Express' own errors, unknown pages first of all, in our envelope (TRAP 71). */
@Catch()
export class EnvelopeFilter implements ExceptionFilter {
  constructor(private readonly answers: Answers) {}

  catch(error: unknown, host: ArgumentsHost): void {
    this.answers.failure(exchangeOf(host.switchToHttp().getRequest<IncomingMessage>()), error);
  }
}
