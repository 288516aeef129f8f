export * from './create-spark.js';
export * from './delete-spark.js';
export * from './events.js';
export * from './list-sparks.js';
export * from './read-spark.js';
