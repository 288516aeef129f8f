import type { Parser } from '@vaultsvc/config';

/** Parses plans by product: `product=plan,product=plan`. */
export const productPlans: Parser<ReadonlyMap<string, string>> = (text) =>
  new Map(
    text.split(',').map((pair) => {
      const [, product, plan] = /^\s*([\w.:-]{1,255})=([a-z][a-z0-9-]{0,39})\s*$/.exec(pair) ?? [];
      if (product === undefined || plan === undefined)
        throw new Error('must be a list of product=plan, such as com.example.team.monthly=team');
      return [product, plan];
    }),
  );
