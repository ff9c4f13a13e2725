/*
 * The tessellator: computes domain points and primitives from a patch's factors. It keeps no list: any
 * point and any primitive is computed in bounded time. (Direct3D 11 functional specification, Tessellator;
 * SKL PRM vol 7, Tessellation Engine)
 */
#ifndef GEOMETRY_TESSELLATOR_H
#define GEOMETRY_TESSELLATOR_H

#include <stdbool.h>
#include <stdint.h>

/* Numbered as in 3DSTATE_TE. */
enum { DOMAIN_QUAD, DOMAIN_TRIANGLE, DOMAIN_ISOLINE };
enum { PARTITION_INTEGER, PARTITION_ODD, PARTITION_EVEN };
enum { TESSELLATES_POINTS, TESSELLATES_LINES, TESSELLATES_CLOCKWISE, TESSELLATES_COUNTERCLOCKWISE };

/* The factors of a patch: edges u = 0, v = 0, u = 1 (or w = 0), v = 1, then inside along u and v.
 * Isolines: their count, and the segments of each. */
enum { EDGES = 4, AXES = 2, FACTORS = EDGES + AXES };

struct tessellation_state {
    uint8_t domain, partitioning, output;
    uint8_t reserved[1];
    float max_tess_factor_odd, max_tess_factor; /* limits for odd partitioning, and for other partitioning */
};

/* A divided line: it is interpolated between the two segment counts next to the factor. Its halves mirror
 * each other. */
struct partition {
    uint32_t fraction;      /* of the factor above `floor`, in 1/65536 */
    uint8_t points, half;   /* the middle point belongs to no half */
    uint8_t split;          /* the point of a half at which the last segment splits */
    uint8_t floor, ceiling; /* segments */
    bool odd;
};

struct tessellation {
    struct partition edge[EDGES], inside[AXES];
    uint32_t points, primitives;
    uint8_t domain, output, sides, corners;
    uint8_t rings; /* rings of points with the outer one, without a middle row or point */
    bool row;      /* the middle is a row or a point */
    bool whole;    /* nothing is divided: only corners */
};

/* Returns false if the patch is culled. */
bool tessellate(struct tessellation *t, const struct tessellation_state *s, const float factors[FACTORS]);
/* The u, v and w of a point. */
void tessellation_point(const struct tessellation *t, uint32_t point, float at[3]);
/* The points of primitive n, one for each of its corners. */
void tessellation_primitive(const struct tessellation *t, uint32_t n, uint32_t points[3]);

#endif
