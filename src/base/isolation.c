#include "base/isolation.h"

const struct vf_isolation no_vf_isolation = {0};
