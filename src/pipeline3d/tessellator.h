/*
 * The tessellator: from the factors of a patch points of its domain, and primitives of them. It keeps
 * nothing: any point and any primitive can be asked for, in a time that is bounded, whatever the factors are.
 * (Direct3D 11 functional specification, Tessellator; SKL PRM vol 7, Tessellation Engine)
 */
#ifndef DRAW_TESSELLATOR_H
#define DRAW_TESSELLATOR_H

#include <stdbool.h>
#include <stdint.h>

/* As 3DSTATE_TE has them. */
enum { DOMAIN_QUAD, DOMAIN_TRIANGLE, DOMAIN_ISOLINE };
enum { PARTITION_INTEGER, PARTITION_ODD, PARTITION_EVEN };
enum { TESSELLATES_POINTS, TESSELLATES_LINES, TESSELLATES_CLOCKWISE, TESSELLATES_COUNTERCLOCKWISE };

/* Of a patch: factors of its edges u = 0, v = 0, u = 1 (or w = 0), v = 1, and inside along u and v. Of
 * isolines: how many, and the segments of each. */
enum { EDGES = 4, AXES = 2, FACTORS = EDGES + AXES };

struct tessellation_state {
    uint8_t domain, partitioning, output;
    uint8_t reserved[1];
    float max_tess_factor_odd, max_tess_factor; /* factors, of partitions that are odd, and of others */
};

/* A line that is divided: points of the two numbers of segments that the factor is between, those of each
 * half growing apart from the other's. */
struct partition {
    uint32_t fraction;      /* in 1/65536: from the lower number on */
    uint8_t points, half;   /* the middle one is of no half */
    uint8_t split;          /* the point of a half that divides last */
    uint8_t floor, ceiling; /* segments */
    bool odd;
};

struct tessellation {
    struct partition edge[EDGES], inside[AXES];
    uint32_t points, primitives;
    uint8_t domain, output, sides, corners;
    uint8_t rings; /* of points, the outer one counted, one that is a row or a point not */
    bool row;      /* there is such a one */
    bool whole;    /* nothing is divided: there are corners alone */
};

/* False: the patch is culled. */
bool tessellate(struct tessellation *t, const struct tessellation_state *s, const float factors[FACTORS]);
/* u, v and w. */
void tessellation_point(const struct tessellation *t, uint32_t point, float at[3]);
/* The points of primitive n, as many as it has corners. */
void tessellation_primitive(const struct tessellation *t, uint32_t n, uint32_t points[3]);

#endif
