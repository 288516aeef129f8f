import type { Delivery } from '@vaultsvc/contracts';
import { isTracing, runInScope, startSpanUnder, type Span } from '@vaultsvc/telemetry';

/**
 * Runs the work of applying events. Lines of events of one request name it. Each event of a recorded trace has a span there, as
 * long as the transaction that applies it with others; what an event alone causes is below its span.
 */
export async function inScopeOf<T>(
  consumer: string,
  deliveries: readonly Delivery[],
  work: () => Promise<T>,
): Promise<T> {
  const spans = isTracing() ? spansOf(consumer, deliveries) : [];
  try {
    const requestId = commonRequestId(deliveries);
    if (requestId === null) return await work();
    const trace = spans[0]?.trace ?? deliveries[0]?.trace;
    return await runInScope(deliveries.length === 1 ? { requestId, trace } : { requestId }, work);
  } finally {
    for (const span of spans) span.end();
  }
}

function spansOf(consumer: string, deliveries: readonly Delivery[]): readonly Span[] {
  const attributes = { 'messaging.system': 'nats', 'messaging.consumer.group.name': consumer };
  const batch = { ...attributes, 'messaging.batch.message_count': deliveries.length };
  return deliveries.flatMap(({ name, trace }) => startSpanUnder(trace, 'consumer', name, batch) ?? []);
}

function commonRequestId(deliveries: readonly Delivery[]): string | null {
  const requestId = deliveries[0]?.requestId ?? null;
  return deliveries.every((delivery) => delivery.requestId === requestId) ? requestId : null;
}
