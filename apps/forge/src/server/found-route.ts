import type { IncomingMessage } from 'node:http';
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { exchangeOf } from './exchange.js';

/** Tells the log which route was found. */
@Injectable()
export class FoundRoute implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<IncomingMessage & { route: { path: string } }>();
    exchangeOf(request).route = request.route.path;
    return next.handle();
  }
}
