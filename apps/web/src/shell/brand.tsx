import { commonTexts } from '../texts/common.js';

/** The name of the product with its star. */
export function Brand() {
  return (
    <span className="brand">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M12 2l2.4 7.6L22 12l-7.6 2.4L12 22l-2.4-7.6L2 12l7.6-2.4z" />
      </svg>
      {commonTexts.product}
    </span>
  );
}
