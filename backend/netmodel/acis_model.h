/* The network models as a C interface, for other languages (python/acis_model.py). Threads may call
 * at the same time. */
#ifndef ACIS_MODEL_H
#define ACIS_MODEL_H

#ifdef __cplusplus
extern "C" {
#endif

/* Evaluates a model (loggp, logcn, buffers, gemm, gemm-tuner) for a request, a JSON object as
 * `acis-model MODEL --help` describes it. Returns JSON that acis_model_free() releases: {"rows":
 * [...]}, or {"error": "what is wrong"}; NULL if there is no memory. */
char *acis_model_evaluate(const char *model, const char *request);

/* Models with their parameters, defaults and sources, as JSON; released in the same way. */
char *acis_model_describe(void);

void acis_model_free(char *text);

#ifdef __cplusplus
}
#endif

#endif /* ACIS_MODEL_H */
