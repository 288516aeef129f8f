/** A value for each order of a list. */
export const bothOrders = <T>(of: (order: 'asc' | 'desc') => T) => ({ asc: of('asc'), desc: of('desc') });
