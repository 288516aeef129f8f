export * from './entropy.js';
export * from './grant.js';
export * from './ingot-link.js';
export * from './link-opening.js';
export * from './link.js';
export * from './message.js';
export * from './spark-share.js';
export * from './spark.js';
