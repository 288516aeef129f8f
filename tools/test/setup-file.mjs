// Before any spec is loaded: decorators write their metadata with it.
import 'reflect-metadata';
