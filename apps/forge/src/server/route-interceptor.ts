import type { IncomingMessage } from 'node:http';
import {
  Injectable,
  NotFoundException,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Observable } from 'rxjs';
import { exchanges } from '../exchange/forge-exchange.js';

interface RoutedRequest extends IncomingMessage {
  readonly route: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
}

/** Records the matched route for the log. Refuses HEAD on GET routes, which Express allows: GET may spend an ISTK (OPEN-55). */
@Injectable()
export class RouteInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<RoutedRequest>();
    const { path, methods } = request.route;
    exchanges.of(request).route = path;
    if (request.method === 'HEAD' && !methods['head']) throw new NotFoundException();
    return next.handle();
  }
}
