import type { IncomingMessage } from 'node:http';
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { AppError } from '@vaultsvc/contracts';
import { exchangeOf } from './exchange.js';

interface RoutedRequest extends IncomingMessage {
  readonly route: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
}

/** Tells the log which route was found, and lets no HEAD into a GET, as Express does: GET may spend an ISTK (OPEN-55). */
@Injectable()
export class FoundRoute implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<RoutedRequest>();
    const { path, methods } = request.route;
    exchangeOf(request).route = path;
    if (request.method === 'HEAD' && !methods['head']) throw new AppError('NOT_FOUND');
    return next.handle();
  }
}
