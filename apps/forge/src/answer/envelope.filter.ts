import type { IncomingMessage } from 'node:http';
import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { exchangeOf } from '../server/exchange.js';
import { Answers } from './answers.js';

/** Whatever a route throws, and Nest's own errors, in our envelope (TRAP 71). */
@Catch()
export class EnvelopeFilter implements ExceptionFilter {
  constructor(private readonly answers: Answers) {}

  catch(error: unknown, host: ArgumentsHost): void {
    this.answers.failure(exchangeOf(host.switchToHttp().getRequest<IncomingMessage>()), error);
  }
}
